import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  // The server says by `<base href>` where the dashboard stands.
  base: "./",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../dist/app",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false }
  }
})
