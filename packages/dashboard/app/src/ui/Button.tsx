import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import type { ComponentProps, ReactNode } from "react"

const looks = {
  primary: "bg-accent-fill text-white hover:brightness-110 border-transparent",
  secondary: "bg-raised text-ink border-line hover:bg-hover",
  danger: "bg-bad-fill text-white hover:brightness-110 border-transparent",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink"
} as const

export type ButtonLook = keyof typeof looks

const shape =
  "inline-flex items-center justify-center gap-1.5 rounded-md border px-3 h-8 text-sm font-medium whitespace-nowrap disabled:opacity-50 disabled:cursor-not-allowed"

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: ButtonLook
  /** Under way: the button stays where the focus is, and takes no second click. */
  readonly busy?: boolean
}

export const Button = ({
  busy = false,
  children,
  className = "",
  look = "secondary",
  onClick,
  ...props
}: ButtonProps) => (
  <button
    type="button"
    {...props}
    aria-busy={busy}
    aria-disabled={busy || undefined}
    onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    className={`${shape} ${looks[look]} ${busy ? "opacity-70 cursor-progress" : ""} ${className}`}
  >
    {children}
  </button>
)

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
