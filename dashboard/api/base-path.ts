/** The dashboard's path, below the path of the service's public address, which the page contains. */
export const BASE = `${globalThis.document?.documentElement.dataset["path"] ?? ""}/admin`;
