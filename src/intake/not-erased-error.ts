const NAMED_MAX = 5;

/** A customer was not erased, because what arrived before about some subjects is still to be processed. */
export class NotErasedError extends Error {
  override readonly name = "NotErasedError";

  constructor(subjects: readonly string[]) {
    const others = subjects.length > NAMED_MAX ? ` and ${subjects.length - NAMED_MAX} others` : "";
    const named = `${subjects.slice(0, NAMED_MAX).join(", ")}${others}`;
    super(`Nothing was erased: what arrived before about ${named} is still to be processed. Try again later.`);
  }
}
