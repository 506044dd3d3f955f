import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

type Names = Readonly<Record<string, string>>;

/** What of a receipt has words in both languages: who sent it, what it is about, why it waits. The rest stays as it came. */
export function useReceiptWords() {
  const t = useWords(words);
  const [sources, kinds, notes]: Names[] = [t.sources, t.kinds, t.notes];
  return {
    source: (adapter: string) => sources?.[adapter] ?? adapter,
    note: (note: string) => notes?.[note] ?? note,
    /** `order/1001` is "Order 1001". */
    subject: (subject: string) => {
      const [kind = "", ...id] = subject.split("/");
      const name = kinds?.[kind];
      return name === undefined ? subject : `${name} ${id.join("/")}`.trim();
    },
  };
}
