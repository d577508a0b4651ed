export * from "../../v1/[...path]/route.ts"
