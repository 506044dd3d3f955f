import { PageLink } from "../../ui/page-link.tsx";
import { useFormat } from "../../ui/use-format.ts";
import classes from "./growth.module.css";

interface ChoicesProps {
  label: string;
  choices: readonly { key: string; to: string; name: string; customers: number; isChosen: boolean }[];
}

/** What a figure is made of, with how many each part has: a part narrows the list to its own members. */
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
