/** The most points that a JSON number holds exactly: of a balance, and of one allotment. */
export const WIRE_POINTS_MAX = 9_007_199_254_740_991;

/** Characters of the note of an allotment or of a decision. */
export const WIRE_NOTE_MAX = 255;

/** Notes of one customer, and the characters of one. */
export const NOTES_MAX = 200;
export const NOTE_LENGTH_MAX = 2_000;

/** Lists that may be very long are counted up to this. */
export const COUNTED_MAX = 10_000;
