/** Programs that receive webhooks, and accept only those that Paymux signed. */
import type { Sample } from "./CodeTabs.tsx"

interface Receiver {
  /** Of the endpoint. */
  readonly url: string
  readonly secret: string
}

export const receiverSamples = ({ secret, url }: Receiver): ReadonlyArray<Sample> => {
  const port = portOf(url)
  return [
    {
      language: "Node",
      code: node(secret, port),
      hint: "Save it as receive.mjs and run: npm install @paymux/client && node receive.mjs"
    },
    { language: "Python", code: python(secret, port), hint: "Save it as receive.py and run: python3 receive.py" },
    {
      language: "PHP",
      code: php(secret),
      hint: `Save it as receive.php and run: php -S 127.0.0.1:${port} receive.php`
    },
    { language: "Go", code: go(secret, port), hint: "Save it as receive.go and run: go run receive.go" }
  ]
}

/** Behind a public address a proxy leads to a port that the page cannot know. */
const portOf = (url: string): string => {
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: "", port: "" }
  return port !== "" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname) ? port : "4000"
}

const node = (secret: string, port: string): string =>
  `import { createServer } from "node:http"
import { PaymuxWebhookError, webhooks } from "@paymux/client"

const secret = "${secret}"

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, secret)
    console.log("Verified:", event.type, event.data.id)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof PaymuxWebhookError)) throw error
    console.log("Rejected:", error.message)
    response.writeHead(400).end()
  }
}).listen(${port})`

const python = (secret: string, port: string): string =>
  `import base64, hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode("${secret}".removeprefix("whsec_"))


def is_signed(headers, body):
    id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    digest = hmac.new(KEY, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, each) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        signed = is_signed(self.headers, body)
        if signed:
            event = json.loads(body)
            print("Verified:", event["type"], event["data"]["id"], flush=True)
        self.send_response(204 if signed else 400)
        self.end_headers()


HTTPServer(("", ${port}), Receiver).serve_forever()`

const php = (secret: string): string =>
  `<?php
$key = base64_decode(substr("${secret}", strlen("whsec_")));
$body = file_get_contents("php://input");
$id = $_SERVER["HTTP_WEBHOOK_ID"] ?? "";
$sent = $_SERVER["HTTP_WEBHOOK_TIMESTAMP"] ?? "0";

$expected = "v1," . base64_encode(hash_hmac("sha256", "$id.$sent.$body", $key, true));
$signed = false;
foreach (explode(" ", $_SERVER["HTTP_WEBHOOK_SIGNATURE"] ?? "") as $given) {
    $signed = hash_equals($expected, $given) || $signed;
}

if (!$signed || abs(time() - (int) $sent) > 300) {
    http_response_code(400);
    return;
}
$event = json_decode($body, true);
error_log("Verified: " . $event["type"] . " " . $event["data"]["id"]);
http_response_code(204);`

const go = (secret: string, port: string): string =>
  `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const secret = "${secret}"

func isSigned(header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sent, wrong := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || wrong != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sent, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	signed := false
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		signed = hmac.Equal([]byte(expected), []byte(given)) || signed
	}
	return signed
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil || !isSigned(request.Header, body) {
		http.Error(response, "not signed by Paymux", http.StatusBadRequest)
		return
	}
	var event struct {
		Type string
		Data struct{ ID string }
	}
	if json.Unmarshal(body, &event) == nil {
		fmt.Println("Verified:", event.Type, event.Data.ID)
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	panic(http.ListenAndServe(":${port}", http.HandlerFunc(receive)))
}`
