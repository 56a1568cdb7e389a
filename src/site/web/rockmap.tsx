import mountain from 'virtual:artwork/mountain.svg';
import { Badge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading, Tally } from '../../ui/section-heading.tsx';
import { type Phase, phases, type PhaseStatus, rockmapTitle, statusText } from '../content.ts';

/** Specification 2, Home: the six phases as stations of a climb. On a phone they stand in one column along the trail. */
export function Rockmap() {
  return (
    <section aria-labelledby="rockmap-title">
      <svg viewBox="0 0 1200 40" preserveAspectRatio="none" className="rockmap-edge" aria-hidden="true">
        <path d="M0 40V22L70 14 130 24 240 6 330 18 420 10 540 28 660 12 760 20 850 4 960 22 1060 12 1130 24 1200 10V40Z" />
      </svg>
      <div className="bg-bedrock pt-12 pb-20">
        <div className="wrap">
          <SectionHeading title={rockmapTitle} id="rockmap-title" tally={phases.length}>
            Six camps between us and the summit. The mountain does not move, so we do.
          </SectionHeading>
          <div className="climb">
            <img src={mountain} alt="" width="1200" height="860" loading="lazy" className="climb-mountain" />
            <Trail />
            <ol aria-label={rockmapTitle}>
              {phases.map((phase) => (
                <Station key={phase.number} phase={phase} />
              ))}
            </ol>
          </div>
          <div className="mt-12 text-center">
            <LinkButton look="torch" to="/nft">
              Join the Quest
            </LinkButton>
          </div>
        </div>
      </div>
    </section>
  );
}

/** The way up, in the coordinates of the scene: walked, being walked, and still ahead. */
function Trail() {
  return (
    <svg viewBox="0 0 1440 860" className="trail" aria-hidden="true">
      <path
        className="trail-rope"
        d="M352 664 560 792M1087 572 868 690M352 460 588 566M1087 364 824 440M352 254 654 300M1087 152 740 126"
      />
      <path
        className="trail-ahead"
        d="M868 690 840 640 700 622 588 566 620 512 770 488 824 440 800 384 690 352 654 300 704 236 690 180 730 126"
      />
      <path className="trail-walked" d="M560 792 650 752 720 770 800 716 868 690" />
    </svg>
  );
}

function Station({ phase }: { readonly phase: Phase }) {
  const { number, title, status } = phase;
  return (
    <li className={`station station-${status}`}>
      <span className="station-mark">
        <StationMark status={status} number={number} />
      </span>
      <Card tone={status === 'current' ? 'glow' : 'plain'} padded={false} className="station-card">
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <span className="sr-only">Phase {number}:</span>
          <Tally count={number} className="h-4.5" />
          <Badge tone={status === 'completed' ? 'gain' : status === 'current' ? 'torch' : 'quiet'}>
            {statusText[status]}
          </Badge>
        </span>
        <span className="station-title">{title}</span>
      </Card>
    </li>
  );
}

const stone = 'M14 4 30 2 44 12 47 28 38 43 20 47 5 38 2 20Z';

/** Completed: a carved check. Current: a burning torch. Upcoming: the outline of a stone not yet laid. */
function StationMark({ status, number }: { readonly status: PhaseStatus; readonly number: number }) {
  return (
    <svg viewBox="0 0 49 49" className={`mark-${status}`} aria-hidden="true">
      <path className="mark-stone" d={stone} />
      {status === 'upcoming' && (
        <text x="24.5" y="31" textAnchor="middle" className="mark-number">
          {number}
        </text>
      )}
      {status === 'completed' && <path className="mark-check" d="M14 25 22 34 36 16" />}
      {status === 'current' && (
        <>
          <path
            className="mark-flame"
            d="M25 6C27 13 35 15 33 24C32 29 28 31 24.5 31C20 31 16 28 16.5 23C17 18 21 18 21 13C24 14 24 17 24 18C26 15 26 10 25 6Z"
          />
          <path className="mark-stick" d="M24.5 31V43M20 33H29" />
        </>
      )}
    </svg>
  );
}
