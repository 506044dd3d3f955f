import { ApiError } from "../../api/api-error.ts";
import { localizeRefusal } from "../../words/localize-refusal.ts";
import type { words } from "../words.ts";
import { type ForeignWords, foreignAnswer } from "./foreign-answer.ts";

/** With this refusal a person can only wait or ask somebody else, so the message gives the reason. */
const SAME_PERSON = "Somebody else has to approve this";

type FailureWords = Pick<
  (typeof words)["en"],
  | "broken"
  | "busy"
  | "forbidden"
  | "notFound"
  | "offline"
  | "signedOut"
  | "tooMany"
  | "tooManyFor"
  | "unanswered"
  | "unknownFilter"
  | "unreachable"
>;

/** Returns the message of a failure in the page's language, with the service's own words if they say more. */
export function errorMessage(error: unknown, t: FailureWords & ForeignWords): string {
  if (!(error instanceof ApiError)) return t.broken;
  if (error.isUnanswered) return t.unanswered;
  if (error.status === 0) return error.isUnsent ? t.offline : t.unreachable;
  const foreign = foreignAnswer(error, t);
  if (foreign !== null) return foreign;
  if (isUnknownFilter(error)) return t.unknownFilter;
  const details = error.faults.map((fault) => localizeRefusal(fault.detail)).join("; ");
  if (error.status === 401) return t.signedOut; // the sign-in that this opens is over when the message is read
  if (error.status === 403) return error.title === "Forbidden" ? t.forbidden : reasonOf(error);
  if (error.status === 404) return t.notFound;
  if (error.status === 429) return tooManyMessage(error, t);
  if (error.status === 503) return t.busy;
  if (error.status >= 500) return error.isOfService ? t.broken : t.unreachable;
  return details === "" ? localizeRefusal(error.title) : details;
}

/** The refusal of a filter that is chosen and not typed, or of the position of a page. */
const OF_ADDRESS = /^expected (?:(?:one|some) of |"|a tier's uid|a UUID|(?:a|the) `next` )/;

/** Whether a list was refused because of its address alone, which was typed, cut off or stored by another version: people choose such filters by name. */
export function isUnknownFilter(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 422 || error.faults.length === 0) return false;
  return error.faults.every(({ parameter, detail }) => parameter !== undefined && OF_ADDRESS.test(detail));
}

/** The refusal of an export, which says when the next one can be requested. */
const NEXT_EXPORT = "one export in 8 hours";
const MINUTE_S = 60;

function tooManyMessage({ faults: [fault], retryAfterS }: ApiError, t: FailureWords): string {
  if (fault?.detail.startsWith(NEXT_EXPORT)) return localizeRefusal(fault.detail);
  return retryAfterS === null || retryAfterS <= MINUTE_S ? t.tooMany : t.tooManyFor(Math.ceil(retryAfterS / MINUTE_S));
}

/** The text of a refusal whose reason is not the role. */
function reasonOf({ title, faults: [fault] }: ApiError): string {
  const message = localizeRefusal(title);
  return title === SAME_PERSON && fault !== undefined ? `${message}: ${localizeRefusal(fault.detail)}` : message;
}
