import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import type { ComponentProps, ReactNode } from "react"
import { tenantPath, useTenant } from "./session.ts"
import type { Search } from "../lists/search.ts"

interface TenantLinkProps extends Pick<ComponentProps<"a">, "className" | "aria-label"> {
  /** Below the account and mode, with ids encoded: `payments/pay_…`. */
  readonly path: string
  readonly search?: Search
  readonly activeOptions?: NonNullable<LinkProps["activeOptions"]>
  readonly children: ReactNode
}

/** A link to a page of the same account and mode. */
export const TenantLink = ({
  className = "font-medium text-accent hover:underline",
  path,
  search,
  ...link
}: TenantLinkProps) => <Link to={tenantPath(useTenant(), path)} search={search ?? {}} className={className} {...link} />
