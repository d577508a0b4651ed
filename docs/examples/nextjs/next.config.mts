import type { NextConfig } from "next"

const config: NextConfig = {
  serverExternalPackages: ["paymux", "@paymux/stripe"],
  // For TypeScript 7, which has no API that Next.js could call.
  experimental: { useTypeScriptCli: true }
}

export default config
