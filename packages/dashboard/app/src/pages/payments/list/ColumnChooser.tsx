import { Columns3 } from "lucide-react"
import { Button } from "../../../ui/Button.tsx"
import { Menu, MenuCheckbox } from "../../../ui/Menu.tsx"
import { columns } from "./paymentColumns.tsx"

interface ColumnChooserProps {
  readonly names: ReadonlyArray<string>
  readonly choose: (names: ReadonlyArray<string>) => void
}

export const ColumnChooser = ({ choose, names }: ColumnChooserProps) => (
  <Menu
    label="Columns"
    trigger={
      <Button>
        <Columns3 size={14} aria-hidden />
        Columns
      </Button>
    }
  >
    {columns.map(({ name, title }) => (
      <MenuCheckbox
        key={name}
        checked={names.includes(name)}
        // A list without columns could not be opened.
        disabled={names.length === 1 && names.includes(name)}
        onChange={(checked) => choose(checked ? [...names, name] : names.filter((each) => each !== name))}
      >
        {title}
      </MenuCheckbox>
    ))}
  </Menu>
)
