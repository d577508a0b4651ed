/**
 * The page's script, as text: the sources are checked without the types of a browser. It follows the payment by
 * server-sent events, polls where those fail, and replaces the content by what the server renders, so that each state is
 * written once. Without it the page reloads.
 *
 * Gotchas: the stream also breaks where a proxy closes it, so only a request without an answer says that the connection is
 * lost. An answer that is an error of the server says nothing about the connection, and is asked for again.
 */
export const script = `"use strict"
const content = () => document.getElementById("content")
const announce = document.getElementById("announce")
const offline = document.getElementById("offline")
let busy = false
let changed = false
let retry = null
let wasOpen = content().dataset.open === "true"

/** A change during a refresh may have come after the server read the payment, so it is refreshed again. */
const refresh = async () => {
  changed = true
  if (busy) return
  busy = true
  try {
    while (changed) {
      changed = false
      clearTimeout(retry)
      const text = await read()
      if (text === null) retry = setTimeout(refresh, 3000)
      else show(new DOMParser().parseFromString(text, "text/html"))
    }
  } finally {
    busy = false
  }
}

/** The page as it is now; null: ask again. */
const read = async () => {
  try {
    const response = await fetch(location.href, { cache: "no-store" })
    const text = await response.text()
    if (response.status === 429 || response.status >= 500) return null
    offline.hidden = true
    return text
  } catch {
    offline.hidden = false
    return null
  }
}

const show = (next) => {
  const fresh = next.getElementById("content")
  if (fresh === null || fresh.dataset.version === content().dataset.version) return
  const title = content().querySelector("h1").textContent
  content().replaceWith(document.adoptNode(fresh))
  document.title = next.title
  enhance()
  const heading = content().querySelector("h1")
  if (heading.textContent !== title) announce.textContent = heading.textContent
  leave()
}

/** A payment that ended while the page was open goes on to the shop. */
const leave = () => {
  const { open, returnTo } = content().dataset
  if (open === "false" && wasOpen && returnTo) setTimeout(() => location.assign(returnTo), 2500)
  if (open === "false") stop()
}

const enhance = () => {
  for (const button of content().querySelectorAll("[data-copy]")) {
    button.hidden = false
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy)
      const before = button.textContent
      button.textContent = announce.textContent = button.dataset.copied
      setTimeout(() => { button.textContent = before }, 2000)
    })
  }
  tick()
}

const tick = () => {
  const time = content().querySelector("[data-expires]")
  if (time === null) return
  const seconds = Math.max(0, Math.ceil((Date.parse(time.dataset.expires) - Date.now()) / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = parts.slice(parts[0] === 0 ? 1 : 0).map((part, at) => (at === 0 ? part : String(part).padStart(2, "0")))
  time.textContent = time.dataset.label + " " + text.join(":")
}

let source = null
let poll = null
const listen = () => {
  if (content().dataset.open !== "true") return
  source = new EventSource(content().dataset.events)
  source.onopen = () => { offline.hidden = true; clearInterval(poll); poll = null }
  source.onmessage = ({ data }) => {
    if (String(JSON.parse(data).version) !== content().dataset.version) refresh()
  }
  source.onerror = () => {
    poll ??= setInterval(refresh, 3000)
    if (source.readyState === EventSource.CLOSED) {
      source.close()
      setTimeout(listen, 10000)
    }
  }
}
const stop = () => { source?.close(); clearInterval(poll); poll = null; clearInterval(clock) }
const clock = setInterval(tick, 1000)

addEventListener("online", refresh)
addEventListener("offline", () => { offline.hidden = false })
addEventListener("pageshow", (event) => { if (event.persisted) refresh() })
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && wasOpen) refresh() })
enhance()
listen()
`
