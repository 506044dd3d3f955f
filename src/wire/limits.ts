/** The largest number of points that a JSON number represents exactly, for a balance and for one allotment. */
export const WIRE_POINTS_MAX = 9_007_199_254_740_991;

/** The maximum length of the note of an allotment or of a decision. */
export const WIRE_NOTE_MAX = 255;

/** The maximum number of notes per customer, and the maximum length of a note. */
export const NOTES_MAX = 200;
export const NOTE_LENGTH_MAX = 2_000;

/** Very long lists are counted up to this number. */
export const COUNTED_MAX = 10_000;
