import { App } from "./app.ts";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  new App(root);
}
