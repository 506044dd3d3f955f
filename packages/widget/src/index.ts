import { PointkeeperPoints } from "./element.ts";

if (customElements.get("pointkeeper-points") === undefined)
  customElements.define("pointkeeper-points", PointkeeperPoints);

export { PointkeeperPoints };
