/** The fields of a key event that show whether an input method is composing text. */
interface KeyDuringInput {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** The code that browsers give for a key that the input method handles. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to the input method. Safari ends the composition before the Enter that completes it, which only its code shows. */
export function isComposing(event: KeyDuringInput): boolean {
  return event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
}
