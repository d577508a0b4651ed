import { createRoot } from "react-dom/client"
import "./style.css"

const root = document.getElementById("root")
if (root !== null) createRoot(root).render(<p>Paymux</p>)
