/** The payment page of the payer: anyone with the link can open it. */
import { Link2 } from "lucide-react"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { CopyButton } from "../../../ui/Copy.tsx"
import { Actions, Dialog } from "../../../ui/Dialog.tsx"
import { Field, Input } from "../../../ui/Field.tsx"

export const ShareButton = ({ url }: { readonly url: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Link2 size={14} aria-hidden />
        Share
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Payment page"
        description="The payer completes the payment here, and sees its result. Anyone with the link can open it."
      >
        <Field label="Link">
          <span className="flex items-center gap-1">
            <Input readOnly value={url} onFocus={(event) => event.target.select()} className="font-mono text-xs" />
            <CopyButton text={url} label="Copy link" />
          </span>
        </Field>
        <Actions>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover"
          >
            Open in a new tab
          </a>
        </Actions>
      </Dialog>
    </>
  )
}
