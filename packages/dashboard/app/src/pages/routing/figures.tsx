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

interface Range {
  readonly low: number
  readonly high: number
}

/** A rate with the range in which it lies nine times out of ten, on a scale of its table. */
export const RangedRate = ({
  range,
  rate,
  scale
}: {
  readonly rate: number | null
  readonly range: Range | null
  readonly scale: Range
}) => {
  if (rate === null || range === null) return <Rate rate={rate} />
  const at = (value: number) => `${(100 * (value - scale.low)) / (scale.high - scale.low)}%`
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <span>{percentText(rate)}</span>
      <span className="relative block h-1.5 w-28 rounded-full bg-line" aria-hidden>
        <span
          className="absolute h-full rounded-full bg-accent/50"
          style={{ left: at(range.low), right: `calc(100% - ${at(range.high)})` }}
        />
        <span className="absolute -top-0.5 h-2.5 w-0.5 bg-accent" style={{ left: at(rate) }} />
      </span>
      <span className="text-xs text-muted">{rangeText(range)}</span>
    </span>
  )
}

/** `81.6% to 85.2%` */
export const rangeText = ({ high, low }: Range): string => `${percentText(low)} to ${percentText(high)}`

/** Of several ranges: in whole twentieths. */
export const scaleOf = (ranges: ReadonlyArray<Range | null>): Range => {
  const known = ranges.flatMap((range) => range ?? [])
  const low = known.reduce((least, range) => Math.min(least, range.low), 1)
  const high = known.reduce((most, range) => Math.max(most, range.high), 0)
  return { low: Math.max(0, Math.floor(low * 20 - 0.01) / 20), high: Math.min(1, Math.ceil(high * 20 + 0.01) / 20) }
}

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
