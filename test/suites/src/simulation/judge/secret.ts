/** The mark that every defect of a simulated adapter carries; it must not appear in anything that the API says. */
export const SECRET = "sim_secret_4fd1c7"
