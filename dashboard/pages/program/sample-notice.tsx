import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";

/** Says that numbers are from a part of the customers only. */
export function SampleNotice({ share }: { share: number }) {
  const r = useWords(reviewWords);
  const { format } = useDraft();
  if (share >= 1) return null;
  return <p className={classes["notice"]}>{r.sample(format.percent(share))}</p>;
}
