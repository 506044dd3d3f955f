import { defineWords } from "../../../words/use-words.ts";

/** The texts about a draft that was left, or is in another tab. */
export const draftWords = defineWords({
  en: {
    left: (time: string) => `You changed this on ${time} and have not applied it:`,
    elsewhere: (time: string) => `In another tab or window you changed this on ${time} and have not applied it:`,
    restore: "Continue with these changes",
    add: "Add these to my changes",
    forget: "Discard them",
  },
  ja: {
    left: (time) => `${time} の変更がまだ適用されていません：`,
    elsewhere: (time) => `別のタブまたはウィンドウでの ${time} の変更がまだ適用されていません：`,
    restore: "この変更を続ける",
    add: "編集中の変更に加える",
    forget: "破棄する",
  },
});
