import { useQuery } from "@tanstack/react-query";
import { useWords } from "../../words/use-words.ts";
import { useFormat } from "../values/use-format.ts";
import { words } from "../words.ts";
import type { CountQuery } from "./count-query.ts";
import classes from "./pager.module.css";

/** How many rows a list has on all its pages; nothing where that is not known. */
export function ListTotal({ count }: { count: CountQuery }) {
  const t = useWords(words);
  const format = useFormat();
  const { data } = useQuery(count);
  if (data === undefined || data.count === null) return null;
  const isMore = data.count > data.counted_to;
  return (
    <p className={classes["total"]}>
      {isMore ? t.totalOver(format.number(data.counted_to)) : t.total(format.number(data.count))}
    </p>
  );
}
