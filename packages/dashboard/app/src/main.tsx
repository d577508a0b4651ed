import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { setNonce } from "get-nonce"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { queryClient } from "./api/client.ts"
import { nonce } from "./place.ts"
import { router } from "./router.tsx"
import { prefetchSession } from "./session/session.ts"
import { applyTheme, storedTheme } from "./shell/theme.ts"
import "./style.css"

if (nonce !== "") setNonce(nonce)
applyTheme(storedTheme())
void prefetchSession()

const root = document.getElementById("root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
