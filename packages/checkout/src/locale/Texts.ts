/** Every text of the page. A language is complete, or it does not compile. */
export interface Texts {
  /** BCP 47, for times and the page's `lang`. */
  readonly locale: string
  readonly pay: string
  readonly amountDue: string
  readonly amount: string
  readonly testMode: string
  readonly simulate: {
    readonly title: string
    readonly approve: string
    readonly decline: string
    readonly expire: string
    readonly provider: (provider: string) => string
  }
  readonly upi: {
    readonly title: string
    readonly openApp: string
    readonly scan: string
    readonly whatNext: string
  }
  readonly approve: { readonly title: string; readonly text: string; readonly vpa: string }
  readonly redirect: { readonly title: string; readonly button: string; readonly text: string }
  readonly transfer: {
    readonly title: string
    readonly rest: string
    readonly amount: string
    readonly address: string
    readonly coin: string
    readonly network: string
    readonly warning: (coin: string, network: string) => string
    readonly openWallet: string
    readonly received: string
    readonly missing: string
  }
  readonly copy: string
  readonly copied: string
  readonly expiresAt: (time: string) => string
  readonly expiresIn: string
  readonly confirming: { readonly title: string; readonly text: string }
  readonly processing: { readonly title: string; readonly text: string }
  readonly authorized: { readonly title: string; readonly text: string }
  readonly succeeded: { readonly title: string; readonly text: string }
  readonly failed: { readonly title: string; readonly text: string; readonly declined: string }
  readonly expired: { readonly title: string; readonly text: string }
  readonly canceled: { readonly title: string; readonly text: string }
  readonly backToShop: string
  readonly reference: string
  readonly offline: string
  readonly notFound: { readonly title: string; readonly text: string }
  readonly unavailable: { readonly title: string; readonly text: string }
  readonly badDecision: { readonly title: string; readonly text: string }
  readonly tooMany: { readonly title: string; readonly text: string }
}
