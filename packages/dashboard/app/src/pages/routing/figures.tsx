/** Shares, rates and providers of a backtest. */
import { TenantLink } from "../../session/TenantLink.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { readerLocale } from "../../ui/numbers.ts"

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
const percent = new Intl.NumberFormat(readerLocale, { style: "percent", ...tenths })
const decimal = new Intl.NumberFormat(readerLocale, tenths)

/** `0.1234` → `12.3%`. */
export const percentText = (share: number): string => percent.format(share)

export const Rate = ({ rate }: { readonly rate: number | null }) =>
  rate === null ? <span className="text-muted">–</span> : <>{percentText(rate)}</>

/** In percentage points. */
export const RateChange = ({ after, before }: { readonly before: number | null; readonly after: number | null }) => {
  if (before === null || after === null) return <span className="text-muted">–</span>
  const points = Math.round((after - before) * 1_000) / 10
  const tone = points > 0 ? "text-good" : points < 0 ? "text-bad" : "text-muted"
  return (
    <span className={tone}>{`${points > 0 ? "+" : points < 0 ? "−" : "±"}${decimal.format(Math.abs(points))} pp`}</span>
  )
}

export const ProviderName = ({ provider }: { readonly provider: string | null }) =>
  provider === null ? (
    <span className="text-bad">No route</span>
  ) : (
    <TenantLink path={`providers/${encodeURIComponent(provider)}`}>
      <Foreign text={provider} />
    </TenantLink>
  )
