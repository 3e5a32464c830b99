const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\/|\bMicrosoft Edge\//u, 'Edge'],
  [/\b(?:OPR|Opera|Opera GX)\//u, 'Opera'],
  [/\bSamsung ?(?:Browser|Internet)\//u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b|\bChrom(?:e|ium) OS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\b(?:Macintosh|Mac OS X|macOS)\b/u, 'Mac'],
  [/\bLinux\b/u, 'Linux'],
]

/** A browser and a system by the names people know; what is not known is left out. */
export type DeviceName = { browser?: string; system?: string } | { given: string }

/**
 * Reads what a device was named by the program that confirmed it. Amplify sends everything the browser says of itself
 * (`Windows 15.0.0 x86 Windows Google Chrome/142.0.7444.60;…`, or the user agent), of which people recognise two words;
 * a name that somebody chose stays as it is.
 */
export function readDeviceName(text: string | undefined): DeviceName {
  if (text === undefined) return {}
  if (!/\/\d/u.test(text)) return { given: text }
  const browser = nameIn(BROWSERS, text)
  const system = nameIn(SYSTEMS, text)
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}

function nameIn(names: readonly [RegExp, string][], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}
