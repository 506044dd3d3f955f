import { fileURLToPath } from "node:url";

/** The built dashboard. The path is valid in a folder of `src` and in a build of the service, which has the same depth. */
export const DASHBOARD_FOLDER = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));
