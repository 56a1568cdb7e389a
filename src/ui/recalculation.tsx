import { foreignText } from '../shared/foreign-text.ts';
import { Card } from './card.tsx';
import { counted } from './decimal-text.ts';

const shownMax = 20;
const longestSentence = 400;

interface RecalculationProblemsProps {
  /** One sentence each. They quote the file, so they are untrusted text. */
  readonly problems: readonly string[];
  readonly canHash: boolean;
}

/** What the reader's own browser found wrong when it recalculated a published file. */
export const RecalculationProblems = ({ problems, canHash }: RecalculationProblemsProps) => (
  <Card role="alert" className="border-l-4 border-danger">
    <p className="title-3 text-danger">Does not add up</p>
    <ul className="mt-3 list-disc space-y-1 pl-5 wrap-anywhere">
      {problems.slice(0, shownMax).map((problem) => (
        <li key={problem}>{foreignText(problem, longestSentence)}</li>
      ))}
    </ul>
    {problems.length > shownMax && <p className="mt-3">And {counted(problems.length - shownMax, 'other thing')}.</p>}
    {!canHash && <NoHash />}
  </Card>
);

export const NoHash = () => (
  <p className="mt-3 max-w-prose text-quiet">
    This browser can calculate SHA-256 only over https, so hashes were not compared.
  </p>
);
