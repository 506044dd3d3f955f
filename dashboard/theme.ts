import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const FONTS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "BIZ UDPGothic", "Yu Gothic UI", Meiryo, sans-serif';

/** The page behind a dialog keeps its scroll bar, so that nothing moves when a dialog opens. Its title is no header of the page. */
const OVERLAID = {
  attributes: { header: { role: "presentation" } },
  transitionProps: { duration: 120 },
  removeScrollProps: { removeScrollBar: false },
  overlayProps: { backgroundOpacity: 0.3 },
};

/** Neutral greys of the dark scheme, from text to the darkest background. */
const DARK: MantineColorsTuple = [
  "#dee1e6",
  "#b4bac4",
  "#8f959f",
  "#5f6670",
  "#3a3f47",
  "#2c3036",
  "#1f2329",
  "#16181c",
  "#121417",
  "#0d0f11",
];

/** One accent colour, 14-pixel text, a 4-pixel grid; on shade 8 white text is legible (at least 4.5 : 1). */
export const theme = createTheme({
  colors: { dark: DARK },
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "sm",
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: "600" },
  fontSizes: { xs: "12px", sm: "14px", md: "14px", lg: "16px", xl: "20px" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "2px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm" } },
    NativeSelect: { defaultProps: { size: "sm" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }, // within the page's landmarks
    Modal: { defaultProps: { centered: true, ...OVERLAID }, styles: { title: { fontWeight: 600 } } },
    Drawer: { defaultProps: OVERLAID },
  },
});

/** Muted text and errors in shades that meet WCAG AA, unlike the library's own. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c636e",
    "--mantine-color-placeholder": "#6b727d",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-text": "#1c1f24",
    "--mantine-color-indigo-light-hover": "#dbe4ff",
    "--pk-line": "#e4e6ea",
    "--pk-quiet": "#f6f7f9",
    "--pk-hover": "#f1f3f7",
    "--pk-good": "#18713c",
    "--pk-good-back": "#e6f4ea",
    "--pk-bad": "#b42318",
    "--pk-bad-back": "#fdeceb",
    "--pk-warn": "#8a4b00",
    "--pk-warn-back": "#fdf1dc",
    "--pk-neutral": "#4a515c",
    "--pk-neutral-back": "#eceef1",
  },
  dark: {
    "--mantine-color-dimmed": "#a3a9b3",
    "--mantine-color-placeholder": "#8f959f",
    "--mantine-color-error": "#ff8a80",
    "--mantine-color-text": "#dee1e6",
    "--pk-line": "#2c3036",
    "--pk-quiet": "#1b1e23",
    "--pk-hover": "#22262c",
    "--pk-good": "#63cf8b",
    "--pk-good-back": "#16301f",
    "--pk-bad": "#ff8f87",
    "--pk-bad-back": "#3a1b1a",
    "--pk-warn": "#f0b35c",
    "--pk-warn-back": "#33270f",
    "--pk-neutral": "#b4bac4",
    "--pk-neutral-back": "#2a2e35",
  },
});
