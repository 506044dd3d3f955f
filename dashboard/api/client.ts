import { ApiError, toApiError } from "./api-error.ts";
import { BASE } from "./base-path.ts";
import { bodyOf } from "./body-of.ts";
import { askForConfirmation, isConfirmationNeeded } from "./confirmation.ts";
import { isIdle } from "./idle.ts";
import { isOffline } from "./online.ts";
import { noteStoreTime } from "./store-clock.ts";

const ROOT = `${BASE}/api`;

type QueryValue = string | number | boolean | null | undefined;
/** A list is sent as a repeated parameter; empty texts, null and undefined are left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** Returns the URL of a path of the admin API, for download links. */
export function apiUrl(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== "") parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return `${ROOT}${path}${text === "" ? "" : `?${text}`}`;
}

/** Reads `path` below /admin/api. A header marks requests of an unattended page. Throws ApiError. */
export function apiGet<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = isIdle() ? { "x-pointkeeper-poll": "1" } : {};
  return send<T>(apiUrl(path, query), { method: "GET", headers, signal: signal ?? null }, false);
}

/** Returns `apiGet` as a query function. */
export function apiQuery<T>(path: string, query?: Query) {
  return ({ signal }: { signal: AbortSignal }): Promise<T> => apiGet<T>(path, query, signal);
}

/** The same for a response of which only `data` is needed. */
export function dataQuery<T>(path: string, query?: Query) {
  return async ({ signal }: { signal: AbortSignal }): Promise<T> =>
    (await apiGet<{ data: T }>(path, query, signal)).data;
}

/**
 * Sends a change. Without a connection it fails at once and is not sent later. One header shows the service that the dashboard and no other site
 * sends it, another one has the page's language. If the service requires a confirmation, the person is asked for the password or a code, and the
 * change is sent again.
 */
export function apiSend<T = void>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
  return sendConfirmed<T>({ method, isChange: true }, path, body);
}

/** Posts a request that only reads, such as a preview: if its answer is lost, nothing was changed. */
export function apiAsk<T>(path: string, body?: unknown): Promise<T> {
  return sendConfirmed<T>({ method: "POST", isChange: false }, path, body);
}

interface Kind {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly isChange: boolean;
}

async function sendConfirmed<T>({ method, isChange }: Kind, path: string, body: unknown): Promise<T> {
  if (isOffline()) throw ApiError.unsent();
  const headers = {
    "content-type": "application/json",
    "accept-language": globalThis.document?.documentElement.lang ?? "en",
    "x-pointkeeper-request": "dashboard",
  };
  const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  try {
    return await send<T>(apiUrl(path), request, isChange);
  } catch (error) {
    if (!isConfirmationNeeded(error) || !(await askForConfirmation())) throw error;
    return await send<T>(apiUrl(path), request, isChange);
  }
}

let uploads = 0;

/** Whether a file is being sent, which would end with the page. */
export function isUploading(): boolean {
  return uploads > 0;
}

/** Posts a file's bytes unchanged; `onProgress` is called with the share that is sent, 0 to 1. */
export function apiUpload<T>(path: string, file: Blob, onProgress: (part: number) => void): Promise<T> {
  if (isOffline()) return Promise.reject(ApiError.unsent());
  const answered = new Promise<readonly [status: number, text: string]>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", apiUrl(path));
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-pointkeeper-request", "dashboard");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onerror = () => reject(ApiError.unanswered());
    request.onload = () => {
      if (request.status < 300) resolve([request.status, request.responseText]);
      else reject(changeError(request.status, request.responseText, request.getResponseHeader("retry-after")));
    };
    request.send(file);
    uploads++;
  });
  const ended = answered.finally(() => uploads--);
  return ended.then((answer) => bodyOf<T>(...answer));
}

async function send<T>(url: string, init: RequestInit, isChange: boolean): Promise<T> {
  const onFailure = (error: unknown): never => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw isChange ? ApiError.unanswered() : new ApiError(0, "unreachable");
  };
  const response = await fetch(url, { ...init, credentials: "same-origin" }).catch(onFailure);
  noteStoreTime(response.headers);
  const text = await response.text().catch(onFailure);
  if (response.ok) return bodyOf<T>(response.status, text);
  throw (isChange ? changeError : toApiError)(response.status, text, response.headers.get("retry-after"));
}

/** Returns the error of a change. If a proxy gave up waiting for the service, the change may have been done. */
function changeError(...answer: Parameters<typeof toApiError>): ApiError {
  const error = toApiError(...answer);
  const isGivenUp = error.status >= 500 && error.status !== 503 && !error.isOfService;
  return isGivenUp ? ApiError.unanswered() : error;
}
