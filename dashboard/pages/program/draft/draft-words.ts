import { defineWords } from "../../../words/use-words.ts";

/** The texts about a draft that was left. */
export const draftWords = defineWords({
  en: {
    left: (time: string) => `You changed this on ${time} and have not applied it:`,
    restore: "Continue with these changes",
    forget: "Discard them",
  },
  ja: {
    left: (time) => `${time} の変更がまだ適用されていません：`,
    restore: "この変更を続ける",
    forget: "破棄する",
  },
});
