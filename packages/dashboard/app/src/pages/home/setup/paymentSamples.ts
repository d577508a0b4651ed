/** Programs that create a payment with the smallest request. */
import type { Schemas } from "../../../api/client.ts"
import type { Sample } from "./CodeTabs.tsx"

export interface PaymentRequest {
  readonly amount: number
  readonly currency: string
  readonly payment_method: string
  readonly customer: { readonly email: string; readonly phone: string }
}

const customer = { email: "asha@example.com", phone: "+919812345678" }

const preferred: { readonly [rail: string]: { readonly currency: string; readonly amount: number } } = {
  upi: { currency: "INR", amount: 10_000 },
  card: { currency: "EUR", amount: 2_500 },
  stablecoin: { currency: "USD", amount: 2_500 }
}

/** Of a method and currency that one of these provider instances accepts. */
export const requestFor = (instances: ReadonlyArray<Schemas["ProviderInstance"]>): PaymentRequest => {
  for (const [rail, { amount, currency }] of Object.entries(preferred)) {
    const accepted = instances.flatMap(({ methods }) => methods[rail]?.currencies ?? [])
    if (accepted.length === 0) continue
    const isUsual = accepted.includes("any") || accepted.includes(currency)
    return { amount, currency: isUsual ? currency : (accepted[0] ?? currency), payment_method: rail, customer }
  }
  return { amount: 10_000, currency: "INR", payment_method: "upi", customer }
}

/** `url`: of the server, without `/v1`. */
export const paymentSamples = (url: string, key: string, request: PaymentRequest): ReadonlyArray<Sample> => {
  const endpoint = `${url}/v1/payments`
  return [
    { language: "curl", code: curl(endpoint, key, request), hint: "Run it in a terminal." },
    { language: "Node", code: node(endpoint, key, request), hint: "Save it as pay.mjs and run: node pay.mjs" },
    { language: "Python", code: python(endpoint, key, request), hint: "Save it as pay.py and run: python3 pay.py" },
    { language: "PHP", code: php(endpoint, key, request), hint: "Save it as pay.php and run: php pay.php" },
    { language: "Go", code: go(endpoint, key, request), hint: "Save it as pay.go and run: go run pay.go" }
  ]
}

const json = (request: PaymentRequest): string => JSON.stringify(request, null, 2)

const curl = (endpoint: string, key: string, request: PaymentRequest): string =>
  `curl ${endpoint} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(request)}'`

const node = (endpoint: string, key: string, request: PaymentRequest): string =>
  `const response = await fetch("${endpoint}", {
  method: "POST",
  headers: {
    "Authorization": "Bearer ${key}",
    "Content-Type": "application/json"
  },
  body: JSON.stringify(${json(request).replaceAll("\n", "\n  ")})
})

console.log(response.status, await response.json())`

const python = (endpoint: string, key: string, request: PaymentRequest): string =>
  `import json
import urllib.request

request = urllib.request.Request(
    "${endpoint}",
    method="POST",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
    data=json.dumps(${json(request).replaceAll("\n", "\n    ")}).encode(),
)

with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`

const php = (
  endpoint: string,
  key: string,
  { amount, currency, customer: payer, payment_method }: PaymentRequest
): string =>
  `<?php
$request = curl_init("${endpoint}");
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        "Authorization: Bearer ${key}",
        "Content-Type: application/json",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        "amount" => ${amount},
        "currency" => "${currency}",
        "payment_method" => "${payment_method}",
        "customer" => ["email" => "${payer.email}", "phone" => "${payer.phone}"],
    ]),
]);

echo curl_exec($request), "\\n";`

const go = (endpoint: string, key: string, request: PaymentRequest): string =>
  `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(\`${json(request).replaceAll("\n", "\n\t")}\`)
	request, err := http.NewRequest("POST", "${endpoint}", body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(answer))
}`
