/** The size limit of a logo file, in bytes. */
export const LOGO_MAX_BYTES = 65_536;
/** The maximum width and height of a logo. */
export const LOGO_MAX_PIXELS = 1_024;
/** The contrast that WCAG AA requires between text and its background. */
export const CONTRAST_MIN = 4.5;

export const COLOR_PATTERN = "^#[0-9a-fA-F]{6}$";

type Channels = readonly [red: number, green: number, blue: number];

const WHITE: Channels = [255, 255, 255];
const BLACK: Channels = [0, 0, 0];
/** The share of white or black in each of the ten shades. Shade 8 is the colour itself, the background of white text. */
const MIXES: readonly (readonly [Channels, number])[] = [
  [WHITE, 0.92],
  [WHITE, 0.84],
  [WHITE, 0.72],
  [WHITE, 0.64],
  [WHITE, 0.56],
  [WHITE, 0.42],
  [WHITE, 0.28],
  [WHITE, 0.14],
  [WHITE, 0],
  [BLACK, 0.15],
];

/** Returns the ten shades of a colour (`#3b5bdb`), lightest first. */
export function shadesOf(color: string): readonly string[] {
  return MIXES.map(([other, part]) => hexOf(mixed(channelsOf(color), other, part)));
}

/** Returns the contrast of white text on a colour: 1 to 21, by WCAG 2. */
export function contrastWithWhite(color: string): number {
  return contrastBetween(color, "#ffffff");
}

/** Returns the contrast of two colours: 1 to 21, by WCAG 2. */
export function contrastBetween(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): Channels {
  const at = (index: number) => Number.parseInt(color.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

function mixed(color: Channels, other: Channels, part: number): Channels {
  const channel = (index: 0 | 1 | 2) => Math.round(color[index] * (1 - part) + other[index] * part);
  return [channel(0), channel(1), channel(2)];
}

function hexOf(channels: Channels): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
