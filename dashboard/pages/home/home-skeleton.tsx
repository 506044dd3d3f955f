import { Skeleton } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

const FIGURES = [
  ...["outstanding", "issued", "spent", "expired", "refunded", "returned", "adjusted"],
  ...["rate", "active", "lapsing"],
];

/** A placeholder with the page's sizes. */
export function HomeSkeleton() {
  const t = useWords(words);
  return (
    <div className={classes["body"]} role="status" aria-label={t.loading}>
      <div className={classes["figures"]}>
        {FIGURES.map((name) => (
          <div key={name} className={classes["figure"]}>
            <Skeleton height={12} width="60%" my={4} animate={false} />
            <Skeleton height={24} width="80%" my={4} animate={false} />
            <Skeleton height={12} width="70%" my={4} animate={false} />
          </div>
        ))}
      </div>
      <Skeleton height={280} animate={false} />
      <Skeleton height={220} animate={false} />
    </div>
  );
}
