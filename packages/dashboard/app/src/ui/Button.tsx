import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import { Tooltip } from "radix-ui"
import { useState } from "react"
import type { ComponentProps, ReactElement, ReactNode } from "react"

const looks = {
  primary: "bg-accent-fill text-white hover:brightness-110 border-transparent",
  secondary: "bg-raised text-ink border-line hover:bg-hover",
  danger: "bg-bad-fill text-white hover:brightness-110 border-transparent",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink"
} as const

export type ButtonLook = keyof typeof looks

const shape =
  "inline-flex items-center justify-center gap-1.5 rounded-md border px-3 h-8 text-sm font-medium whitespace-nowrap disabled:opacity-50 disabled:cursor-not-allowed"

const refusedShape = "opacity-50 cursor-not-allowed"

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: ButtonLook
  /** Under way: the button stays where the focus is, and takes no second click. */
  readonly busy?: boolean
  /** Why it cannot be done now. The button takes the focus, so that everybody can read it. `null`: it can. */
  readonly refusal?: string | null
}

export const Button = ({
  busy = false,
  children,
  className = "",
  look = "secondary",
  onClick,
  refusal,
  ...props
}: ButtonProps) => {
  const isRefused = typeof refusal === "string"
  const isIdle = busy || isRefused
  const button = (
    <button
      type="button"
      {...props}
      aria-busy={busy}
      aria-disabled={isIdle || undefined}
      onClick={(event) => (isIdle ? event.preventDefault() : onClick?.(event))}
      className={`${shape} ${looks[look]} ${isRefused ? refusedShape : busy ? "opacity-70 cursor-progress" : ""} ${className}`}
    >
      {children}
    </button>
  )
  return refusal === undefined ? button : <Refused refusal={refusal}>{button}</Refused>
}

interface RefusedProps {
  readonly children: ReactElement
  readonly refusal: string | null
}

/** `children`: a button, which says why on hover, on focus, and when it is touched. */
export const Refused = ({ children, refusal }: RefusedProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Tooltip.Provider delayDuration={200}>
      <Tooltip.Root open={isOpen && refusal !== null} onOpenChange={setOpen}>
        <Tooltip.Trigger asChild onClick={() => setOpen(true)}>
          {children}
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-lg"
          >
            {refusal}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

/** A link that looks like a button. */
export const ButtonLink = ({
  children,
  look = "secondary",
  ...link
}: LinkProps & { readonly look?: ButtonLook; readonly children: ReactNode }) => (
  <Link {...link} className={`${shape} ${looks[look]}`}>
    {children}
  </Link>
)

interface IconButtonProps extends ComponentProps<"button"> {
  /** Accessible name and tooltip: the button has only an icon. */
  readonly label: string
}

export const IconButton = ({ children, className = "", label, ...props }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...props}
    className={`inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink ${className}`}
  >
    {children}
  </button>
)
