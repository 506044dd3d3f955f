/** Periods of Home that follow the store's calendar. */
export const PERIOD_PRESETS = ["last_month", "this_quarter"] as const;

export type PeriodPreset = (typeof PERIOD_PRESETS)[number];
