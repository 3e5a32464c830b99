import { forgetKept } from './forget-device.ts'
import { setKeepsOnDevice } from './device-copy.ts'
import { openPictures } from './pictures.ts'

/** Turns keeping on for what is seen from now on, or off, which removes what is kept. */
export async function changeKeeping(isOn: boolean): Promise<void> {
  setKeepsOnDevice(isOn)
  await (isOn ? openPictures() : forgetKept())
}
