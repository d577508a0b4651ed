/** The style sheet. One accent color, the system's fonts, a 4 px grid, light and dark by the payer's setting. */

export const styleSheet = (color: string): string => `:root {
  color-scheme: light dark;
  --accent: ${color}; --on-accent: ${contrasting(color)};
  --page: #f4f5f7; --card: #fff; --text: #16181d; --muted: #555b66; --line: #d9dce1; --good: #0a7a3d; --bad: #b3261e;
  --warn: #fff4d6; --on-warn: #5c4300;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #0e1013; --card: #181b20; --text: #f1f3f5; --muted: #a8afba; --line: #333841; --good: #5fd394;
    --bad: #ff8a80; --warn: #3a2f10; --on-warn: #ffe08a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
  "Noto Sans", "Noto Sans Devanagari", sans-serif; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.page { max-inline-size: 440px; margin: 0 auto; padding: 16px; min-block-size: 100vh; display: flex; flex-direction: column;
  justify-content: center; gap: 16px; }
.test { margin: 0; padding: 8px 12px; border-radius: 8px; background: var(--warn); color: var(--on-warn); font-size: 14px;
  text-align: center; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 24px; }
.shop { display: flex; align-items: center; gap: 12px; margin: 0 0 16px; font-weight: 600; }
.shop img { block-size: 32px; max-inline-size: 120px; }
.due { margin: 0; color: var(--muted); font-size: 14px; }
.amount { margin: 0; font-size: 32px; line-height: 40px; font-weight: 650; font-variant-numeric: tabular-nums; }
.amount.long { font-size: 22px; } .amount.longer { font-size: 16px; } bdi[lang] { white-space: nowrap; }
.about { margin: 4px 0 0; color: var(--muted); }
h1 { font-size: 18px; line-height: 24px; margin: 24px 0 8px; padding-block-start: 24px; border-block-start: 1px solid var(--line); }
h1.good::before { content: "✓ "; color: var(--good); } h1.bad::before { content: "✕ "; color: var(--bad); }
p { margin: 8px 0; } .muted { color: var(--muted); font-size: 14px; }
.button { display: block; inline-size: 100%; min-block-size: 48px; margin: 12px 0; padding: 12px 16px; border: 0;
  border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
.button.plain { background: transparent; color: var(--text); border: 1px solid var(--line); }
.button:focus-visible, .copy:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.code { display: flex; justify-content: center; margin: 16px 0; }
.code svg, .code img { inline-size: 232px; block-size: 232px; background: #fff; padding: 12px; border-radius: 12px;
  border: 1px solid var(--line); }
.apps { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; } .apps .button { margin: 0; padding-inline: 4px; font-size: 14px; white-space: nowrap; }
@media (min-width: 700px) and (hover: hover) { .on-phone { display: none; } }
dl { margin: 16px 0; display: grid; gap: 12px; } dt { color: var(--muted); font-size: 14px; }
dd { margin: 0; display: flex; gap: 8px; align-items: center; justify-content: space-between; font-variant-numeric: tabular-nums; }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 14px; }
.copy { min-block-size: 32px; min-inline-size: 64px; padding: 4px 10px; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: var(--text); font: inherit; font-size: 13px; cursor: pointer; flex: none; }
.warning { padding: 12px; border-radius: 10px; background: var(--warn); color: var(--on-warn); font-size: 14px; }
.left { text-align: center; font-variant-numeric: tabular-nums; }
.simulate { border: 1px dashed var(--line); border-radius: 12px; padding: 12px 16px; margin: 24px 0 0; }
.simulate h2 { font-size: 14px; margin: 0 0 8px; color: var(--muted); font-weight: 600; }
.simulate form { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; } .simulate .button { margin: 0; min-block-size: 44px; }
.simulate .wide { grid-column: 1 / -1; }
footer { text-align: center; color: var(--muted); font-size: 13px; }
.announce { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.offline { text-align: center; color: var(--on-warn); background: var(--warn); border-radius: 8px; padding: 8px; margin: 0; }
@media (max-width: 400px) { .page { padding: 8px; justify-content: flex-start; } .card { padding: 16px; } }
`

/** Black or white, whichever has the higher contrast on the color (WCAG 2.2, relative luminance). */
const contrasting = (color: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  const luminance = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#fff" : "#000"
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
