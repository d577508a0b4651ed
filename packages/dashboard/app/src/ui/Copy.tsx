/** Ids, secrets and code, with a button that copies. */
import { Check, Copy as CopyIcon } from "lucide-react"
import { useEffect, useState } from "react"
import { IconButton } from "./Button.tsx"

export const CopyButton = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false)
    )
  }
  return (
    <IconButton label={copied ? "Copied" : label} onClick={copy} className="size-6 shrink-0">
      {copied ? <Check size={13} aria-hidden /> : <CopyIcon size={13} aria-hidden />}
    </IconButton>
  )
}

export const Id = ({ id, label = "Copy id" }: { readonly id: string; readonly label?: string }) => (
  <span className="inline-flex h-5 max-w-full items-center gap-1 align-top">
    <code className="truncate font-mono text-xs" title={id}>
      {id}
    </code>
    <CopyButton text={id} label={label} />
  </span>
)

/** A block of code; long lines scroll. */
export const Code = ({ label = "Copy", text }: { readonly text: string; readonly label?: string }) => (
  <div className="relative min-w-0 rounded-lg border border-line bg-side">
    <pre tabIndex={0} className="max-h-96 overflow-auto p-3 pr-10 font-mono text-xs whitespace-pre">
      <bdi>{text}</bdi>
    </pre>
    <div className="absolute top-1.5 right-1.5">
      <CopyButton text={text} label={label} />
    </div>
  </div>
)

/** A secret that the server shows once. */
export const Secret = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div className="flex items-center gap-2 rounded-lg border border-edge bg-side px-3 py-2">
    <code className="min-w-0 flex-1 font-mono text-xs break-all" data-secret>
      {text}
    </code>
    <CopyButton text={text} label={`Copy ${name}`} />
  </div>
)

export const Json = ({ value }: { readonly value: unknown }) => (
  <Code text={JSON.stringify(value, null, 2)} label="Copy JSON" />
)
