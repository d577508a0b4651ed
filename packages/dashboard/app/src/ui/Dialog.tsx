import { Dialog as Radix } from "radix-ui"
import { useState } from "react"
import type { ReactNode } from "react"
import { X } from "lucide-react"

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
}

/** Focus returns to what opened it, also where that is no trigger of Radix, or to the page if that is gone. */
export const Dialog = ({ children, description, onClose, open, title, wide = false }: DialogProps) => {
  const [opener, setOpener] = useState<Element | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  // Recorded before a field of the dialog takes the focus.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpener(openerOf(document.activeElement))
  }
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const target = opener?.isConnected === true ? opener : document.getElementById("page")
            if (target instanceof HTMLElement) target.focus()
          }}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-1.5rem)] -translate-1/2 flex-col gap-4 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-xl ${wide ? "max-w-3xl" : "max-w-md"}`}
        >
          <header className="flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X size={16} aria-hidden />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A menu is gone when its dialog closes: what opened the menu is still there. */
const openerOf = (active: Element | null): Element | null => {
  const trigger = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby")
  return typeof trigger === "string" ? document.getElementById(trigger) : active
}

/** The buttons at the end of a dialog or form: the one that acts comes last. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-end gap-2 pt-1">{children}</div>
)
