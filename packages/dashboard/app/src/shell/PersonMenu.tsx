import { useNavigate } from "@tanstack/react-router"
import { CircleUser } from "lucide-react"
import { useState } from "react"
import { accessIn, useSession, useTenant } from "../session/session.ts"
import { useSignOut } from "../session/signOut.ts"
import { IconButton } from "../ui/Button.tsx"
import { Foreign } from "../ui/Layout.tsx"
import { Menu, MenuItem, MenuLine } from "../ui/Menu.tsx"
import { wordOf } from "../ui/Status.tsx"
import { areShortcutsOn, turnShortcuts } from "./shortcuts.ts"
import { applyTheme, storedTheme } from "./theme.ts"
import type { Theme } from "./theme.ts"

const nextTheme: { readonly [theme in Theme]: Theme } = { system: "light", light: "dark", dark: "system" }
const themeText: { readonly [theme in Theme]: string } = {
  system: "Theme: as the system",
  light: "Theme: light",
  dark: "Theme: dark"
}

export const PersonMenu = ({ onHelp }: { readonly onHelp: () => void }) => {
  const session = useSession()
  const access = accessIn(session, useTenant())
  const navigate = useNavigate()
  const [theme, setTheme] = useState(storedTheme)
  const signOut = useSignOut()
  return (
    <Menu
      label="You"
      trigger={
        <IconButton label={`You are ${session.name}`}>
          <CircleUser size={18} aria-hidden />
        </IconButton>
      }
    >
      <div className="max-w-64 px-2.5 py-1.5 text-sm">
        <p className="font-medium">
          <Foreign text={session.name} />
        </p>
        {access !== null && <p className="text-xs text-muted">{wordOf(access.role)}</p>}
      </div>
      <MenuLine />
      {session.method === "password" && (
        <MenuItem onSelect={() => void navigate({ to: "/two-factor" })}>Two-factor authentication</MenuItem>
      )}
      <MenuItem
        onSelect={() => {
          const next = nextTheme[theme]
          applyTheme(next)
          setTheme(next)
        }}
      >
        {themeText[theme]}
      </MenuItem>
      <MenuItem onSelect={onHelp}>Keyboard shortcuts</MenuItem>
      <MenuItem onSelect={() => turnShortcuts(areShortcutsOn() ? "off" : "on")}>
        {areShortcutsOn() ? "Turn shortcuts off" : "Turn shortcuts on"}
      </MenuItem>
      {session.method !== "host" && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
        </>
      )}
    </Menu>
  )
}
