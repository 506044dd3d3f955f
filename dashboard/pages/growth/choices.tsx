import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import classes from "./growth.module.css";

interface ChoicesProps {
  label: string;
  choices: readonly { key: string; to: string; name: string; customers: number; isChosen: boolean }[];
}

/** The parts of a figure with their numbers; a part filters the list. */
export function Choices({ label, choices }: ChoicesProps) {
  const format = useFormat();
  return (
    <ul className={classes["choices"]} aria-label={label}>
      {choices.map(({ key, to, name, customers, isChosen }) => (
        <li key={key} data-chosen={isChosen || undefined}>
          <PageLink to={to} keepScroll aria-current={isChosen ? "true" : undefined}>
            {name}
          </PageLink>{" "}
          {format.number(customers)}
        </li>
      ))}
    </ul>
  );
}
