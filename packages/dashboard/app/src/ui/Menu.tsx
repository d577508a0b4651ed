import { Check } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import type { ReactNode } from "react"

interface MenuProps {
  readonly trigger: ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly align?: "start" | "end"
}

/** `trigger`: a button. */
export const Menu = ({ align = "end", children, label, trigger }: MenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={4}
        aria-label={label}
        className="z-40 min-w-44 rounded-lg border border-line bg-raised p-1 shadow-lg"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

interface MenuItemProps {
  readonly children: ReactNode
  readonly onSelect: () => void
  readonly disabled?: boolean
}

export const MenuItem = ({ children, disabled = false, onSelect }: MenuItemProps) => (
  <DropdownMenu.Item
    disabled={disabled}
    onSelect={onSelect}
    className="flex items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
  >
    {children}
  </DropdownMenu.Item>
)

interface MenuCheckboxProps {
  readonly children: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

/** The menu stays open: several may be changed. */
export const MenuCheckbox = ({ checked, children, disabled = false, onChange }: MenuCheckboxProps) => (
  <DropdownMenu.CheckboxItem
    checked={checked}
    disabled={disabled}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className="flex items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
  >
    <Check size={14} aria-hidden className={checked ? "" : "invisible"} />
    {children}
  </DropdownMenu.CheckboxItem>
)

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />
