import { type ReactNode, useEffect, useRef, useState } from 'react'

import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { ImagePicker } from './image-picker.tsx'
import { Progress } from './progress.tsx'
import { readImage, UndrawableImage } from './read-image.ts'
import { useIncomingFiles } from './use-incoming-files.ts'

export type ImageUploadTexts = {
  choose: string
  hint: string
  reading: string
  /** For a file that the browser cannot read. It names the formats. */
  undrawable: string
  /** The alternative text of the preview. */
  preview: string
  upload: string
  cancel: string
  /** The texts while the image is sent, and while the server works on it. */
  uploading: (percent: number) => string
  processing: string
}

type ImageUploadProps = {
  texts: ImageUploadTexts
  shape: 'wide' | 'round'
  /** An image with more pixels is sent smaller. */
  maxPixels: number
  /** The error of a file, undefined if it is accepted. Called before the file is read. */
  faultOf: (file: File) => string | undefined
  /** Sends the image, a data URL. Rejects on failure and when aborted. */
  send: (imageData: string, watch: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<unknown>
  /** The text after a failure to read or send an image. */
  failureOf: (error: unknown) => ReactNode
  onUploaded: () => void
  /** Another image is chosen, so messages about the last one are outdated. */
  onPick?: () => void
  /** Shown beside the picker. */
  children?: ReactNode
  /** The picker takes the focus, because the user opened it. */
  takesFocus?: boolean
}

type Step =
  | { at: 'choosing'; fault?: string; failure?: ReactNode; takesFocus: boolean }
  | { at: 'reading' }
  | { at: 'chosen'; imageData: string; failure?: ReactNode }
  | { at: 'uploading'; imageData: string; sent: number; giveUp: () => void }

const FRAMES = { wide: 'aspect-3/2 w-full rounded-poster', round: 'size-40 self-start rounded-full' }

/** Lets the user choose an image, preview it and send it. Each step can be cancelled, until all of the image is sent. */
export function ImageUpload(props: ImageUploadProps) {
  const { texts, shape, children } = props
  const { step, choose, upload, cancel } = useUpload(props)

  if (step.at === 'choosing' || step.at === 'reading') {
    const {
      fault,
      failure,
      takesFocus: isAsked,
    } = step.at === 'choosing' ? step : { fault: undefined, failure: undefined, takesFocus: false }
    return (
      <div className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <ImagePicker
          label={texts.choose}
          hint={texts.hint}
          name="image"
          error={fault}
          busyLabel={step.at === 'reading' ? texts.reading : undefined}
          takesFocus={isAsked}
          onPick={(file) => void choose(file)}
        />
        {children}
      </div>
    )
  }

  return (
    <div className="flex flex-col gap-4">
      <img src={step.imageData} alt={texts.preview} className={classes('bg-raised object-cover', FRAMES[shape])} />
      {step.at === 'uploading' ? (
        <Sending texts={texts} sent={step.sent} onGiveUp={step.giveUp} />
      ) : (
        <Chosen
          texts={texts}
          failure={step.failure}
          onFile={(file) => void choose(file)}
          onUpload={() => void upload(step.imageData)}
          onCancel={cancel}
        />
      )}
    </div>
  )
}

/** The step, and what leads to the next one. */
function useUpload(props: ImageUploadProps) {
  const { texts, maxPixels, faultOf, send, failureOf, onUploaded, onPick, takesFocus = false } = props
  const [step, setStep] = useState<Step>({ at: 'choosing', takesFocus })
  const leave = useRef<() => void>(undefined)
  const latest = useRef<File>(undefined)
  useEffect(() => () => leave.current?.(), [])

  const choose = async (file: File) => {
    latest.current = file
    onPick?.()
    const fault = faultOf(file)
    if (fault !== undefined) {
      setStep({ at: 'choosing', fault, takesFocus: true })
      return
    }
    setStep({ at: 'reading' })
    const next = await readImage(file, maxPixels).then(
      (imageData): Step => ({ at: 'chosen', imageData }),
      (error: unknown): Step => {
        const why = error instanceof UndrawableImage ? { fault: texts.undrawable } : { failure: failureOf(error) }
        return { at: 'choosing', ...why, takesFocus: true }
      },
    )
    // Another file may have been dropped meanwhile.
    if (latest.current === file) setStep(next)
  }

  const upload = async (imageData: string) => {
    const stop = new AbortController()
    const show = (sent: number) => {
      // What is all sent may be saved, whether or not the answer comes.
      leave.current = sent < 1 ? () => stop.abort() : undefined
      setStep({ at: 'uploading', imageData, sent, giveUp: () => stop.abort() })
    }
    show(0)
    try {
      await send(imageData, { signal: stop.signal, onProgress: (sent) => stop.signal.aborted || show(sent) })
      setStep({ at: 'choosing', takesFocus: true })
      onUploaded()
    } catch (error) {
      setStep({ at: 'chosen', imageData, failure: stop.signal.aborted ? undefined : failureOf(error) })
    } finally {
      leave.current = undefined
    }
  }

  return { step, choose, upload, cancel: () => setStep({ at: 'choosing', takesFocus: true }) }
}

type ChosenProps = {
  texts: ImageUploadTexts
  failure: ReactNode
  onFile: (file: File) => void
  onUpload: () => void
  onCancel: () => void
}

function Chosen({ texts, failure, onFile, onUpload, onCancel }: ChosenProps) {
  useIncomingFiles(onFile)
  return (
    <>
      {failure !== undefined && <Banner tone="error">{failure}</Banner>}
      <div className="flex flex-wrap gap-3">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- this button replaces the picker that had the focus */}
        <Button tone="primary" autoFocus onClick={onUpload}>
          {texts.upload}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  )
}

function Sending({ texts, sent, onGiveUp }: { texts: ImageUploadTexts; sent: number; onGiveUp: () => void }) {
  return (
    <>
      <Progress
        label={sent < 1 ? texts.uploading(Math.floor(sent * 100)) : texts.processing}
        value={sent < 1 ? sent : undefined}
      />
      {sent < 1 && (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- this button replaces the one that had the focus
        <Button tone="quiet" autoFocus className="self-start" onClick={onGiveUp}>
          {texts.cancel}
        </Button>
      )}
    </>
  )
}
