import { useState } from 'react';
import type * as z from 'zod/mini';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Age } from '../../../ui/age.tsx';
import { flagOrOff, readable, textOrNone } from '../../../ui/api/answer-schema.ts';
import { pollEveryMs, useAnswer, useApiMutation, watchEveryMs } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { Line, Lines, Panel, Part } from '../../../ui/panel.tsx';
import { EmptyState, LoadingLines, Problem } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { CheckField, Form } from '../../../ui/text-field.tsx';
import { stateNames } from '../../core/payout-words.ts';
import { type AnnouncementKind, announcementsAnswer } from '../../payouts-contract.ts';

const nameMax = 80;

/** Posts the card of a published or paid payout in groups and channels, each once. */
export function AnnouncePayout({ payout: { id } }: { readonly payout: { readonly id: number } }) {
  const query = useAnnouncements(id);
  return (
    <Panel id="payout-announcement" title="Announcement" query={query}>
      <Answered query={query} failure="Failed to load the announcements" loading={<LoadingLines count={3} />}>
        {({ cards, places, posted }) => {
          const card = cards.find(({ refusal }) => refusal === null);
          return (
            <>
              {card === undefined ? (
                <p>{cards[0]?.refusal ?? 'There is nothing to announce now.'}</p>
              ) : (
                <Announce payout={id} card={card} places={places} posted={posted} />
              )}
              {posted.length > 0 && <PostedPlaces posted={posted} />}
            </>
          );
        }}
      </Answered>
    </Panel>
  );
}

interface AnnounceProps {
  readonly payout: number;
  readonly card: ShownCard;
  readonly places: readonly Place[];
  readonly posted: readonly Posted[];
}

function Announce({ payout, card, places, posted }: AnnounceProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { send, busy, problem } = useAnnounce(payout, () => setChosen([]));
  const ofCard = posted.filter((each) => each.kind === card.kind && !mayBeTriedAgain(each));
  const postedIn = new Map(ofCard.map((each) => [each.place, each]));
  const isChosen = ({ place, trouble }: Place): boolean =>
    chosen.includes(place) && trouble === null && !postedIn.has(place);
  const chosenPlaces = places.filter(isChosen).map(({ place }) => place);
  const choose = (place: string, isWanted: boolean): void =>
    setChosen(isWanted ? [...chosen, place] : chosen.filter((each) => each !== place));
  return (
    <Form onSend={() => !busy && chosenPlaces.length > 0 && send({ kind: card.kind, places: chosenPlaces })}>
      <p className="max-w-prose text-quiet">
        {card.kind === 'paid' ? 'Say that it is paid' : 'Say that it is published'}: this card goes to each place that
        you choose, once.
      </p>
      <blockquote className="my-4 border-l-4 border-line py-1 pl-4 wrap-anywhere whitespace-pre-line">
        {card.text}
      </blockquote>
      {places.length === 0 ? (
        <EmptyState>The bots are not in any group or configured server yet.</EmptyState>
      ) : (
        <fieldset disabled={busy}>
          <legend className="font-bold">Where</legend>
          <ul>
            {places.map((each) => (
              <li key={each.place}>
                <PlaceChoice
                  place={each}
                  posted={postedIn.get(each.place)}
                  isChosen={isChosen(each)}
                  onChoose={(isWanted) => choose(each.place, isWanted)}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <Problem>{problem}</Problem>
      <Button type="submit" look="torch" className="mt-4" busy={busy} disabled={chosenPlaces.length === 0}>
        {chosenPlaces.length === 0 ? 'Post' : `Post in ${counted(chosenPlaces.length, 'place')}`}
      </Button>
    </Form>
  );
}

/** A message that may have arrived is not sent again on request. */
const mayBeTriedAgain = ({ state, isDoubtful }: Posted): boolean => state === 'failed' && !isDoubtful;

interface PlaceChoiceProps {
  readonly place: Place;
  readonly posted: Posted | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isWanted: boolean) => void;
}

function PlaceChoice({ place: { place, name, trouble }, posted, isChosen, onChoose }: PlaceChoiceProps) {
  const reason = posted === undefined ? trouble : hintOf(posted);
  const label = (
    <>
      {platformOf(place)}: <bdi>{foreignText(name, nameMax)}</bdi>
    </>
  );
  return <CheckField label={label} checked={isChosen} disabled={reason !== null} hint={reason} onCheck={onChoose} />;
}

const hintOf = ({ state }: Posted): string => {
  if (state === 'waiting') return 'It is on its way there.';
  return state === 'posted' || state === 'not-kept' ? 'It is already posted there.' : 'It may be posted there already.';
};

const platformOf = (place: string): string => (place.startsWith('discord:') ? 'Discord' : 'Telegram');

const PostedPlaces = ({ posted }: { readonly posted: readonly Posted[] }) => (
  <Part id="payout-announced" title="Where it was announced">
    <Lines labelledBy="payout-announced" className="mt-3">
      {posted.map((each) => (
        <Line key={`${each.kind} ${each.place}`} end={<PostState posted={each} />}>
          <p>
            {platformOf(each.place)}: <bdi className="font-semibold">{foreignText(each.name, nameMax)}</bdi>
          </p>
          <p className="text-sm text-quiet">
            ‘{stateNames[each.kind]}’{each.askedBy !== null && <> by {each.askedBy}</>}
            <Age asOf={each.askedAt} before=", " />
          </p>
          {each.reason !== null && <p className="text-sm">{each.reason}</p>}
          {each.isDoubtful && (
            <p className="text-sm">The answer was lost once, so it may have been posted twice or not at all.</p>
          )}
        </Line>
      ))}
    </Lines>
  </Part>
);

const stateWords = {
  waiting: { word: 'On its way', tone: 'stale' },
  posted: { word: 'Posted', tone: 'live' },
  failed: { word: 'Failed', tone: 'danger' },
  'not-kept': { word: 'No longer kept', tone: 'quiet' },
  unknown: { word: 'Not known', tone: 'quiet' },
} as const;

function PostState({ posted: { state, isDoubtful } }: { readonly posted: Posted }) {
  const { word, tone } = stateWords[state ?? 'unknown'];
  return <Badge tone={tone}>{state === 'posted' && isDoubtful ? 'Posted, maybe twice' : word}</Badge>;
}

/** The answers and the call of 'Announcement' under a payout. null: not known. */

/** GET /api/admin/payouts/{id}/announcements. */
const announcements = readable(announcementsAnswer, ['cards', 'places', 'posted', 'kind', 'text', 'place'], {
  name: textOrNone,
  isDoubtful: flagOrOff,
});
type Announcements = z.output<typeof announcements>;
type ShownCard = Announcements['cards'][number];
type Place = Announcements['places'][number];
type Posted = Announcements['posted'][number];

const pathOf = (payout: number): string => `/api/admin/payouts/${payout}/announcements`;

/** While a card is on its way, it is polled often. */
const useAnnouncements = (payout: number) =>
  useAnswer(pathOf(payout), announcements, {
    refetchInterval: ({ state: { data } }) =>
      data?.posted.some(({ state }) => state === 'waiting') === true ? watchEveryMs : pollEveryMs,
  });

interface Announcement {
  readonly kind: AnnouncementKind;
  readonly places: readonly string[];
}

const useAnnounce = (payout: number, onDone: () => void) =>
  useApiMutation<Announcement>({
    call: (body) => ({ method: 'POST', path: pathOf(payout), body }),
    success: (_answer, { places }) => ({
      title: 'Announcement queued',
      description: `It will be posted in ${counted(places.length, 'place')} in a moment.`,
    }),
    failure: 'Failed to announce the payout',
    onDone,
  });
