/** What a key event says while an input method composes text. */
interface KeyDuringInput {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** What browsers give as the code of a key that the input method takes. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to the input method. Safari ends the composition before the Enter that ends it, and only its code tells. */
export function isComposing(event: KeyDuringInput): boolean {
  return event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
}
