/** Where the dashboard is: below the path of the service's public address, which the page tells. */
export const BASE = `${globalThis.document?.documentElement.dataset["path"] ?? ""}/admin`;
