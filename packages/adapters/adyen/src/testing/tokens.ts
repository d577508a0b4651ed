/** What `tokens.adyen` may be. */

/** As Adyen's Web Components make it. Its unencrypted test values (`test_4111…`) the engine takes for a card number. */
export const encrypted = {
  type: "scheme",
  encryptedCardNumber: "adyenjs_0_1_25$Kx3nUmBeRkx3nUmBeR",
  encryptedExpiryMonth: "adyenjs_0_1_25$Kx3mOnThkx3mOnTh",
  encryptedExpiryYear: "adyenjs_0_1_25$Kx3yEaRkx3yEaR",
  encryptedSecurityCode: "adyenjs_0_1_25$Kx3cOdEkx3cOdE",
  holderName: "Asha Rao"
}
export const stored = { storedPaymentMethodId: "M5N7TQ4TG5PFWR50", shopperReference: "shopper_1001" }
