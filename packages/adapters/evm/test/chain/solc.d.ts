declare module "solc" {
  const solc: { readonly compile: (input: string) => string }
  export default solc
}
