import type { ReactNode } from 'react';
import { ExternalLinkButton } from '../../../ui/button.tsx';
import { NumberedSteps } from '../../../ui/card.tsx';
import { SectionHeading, StrataDivider } from '../../../ui/section-heading.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';

/** `/verify` without a link: messages and the footer lead here. */
export const HowToVerifyPage = () => (
  <>
    <section className="wrap pt-12 pb-12 sm:pt-20">
      <h1 className="title-1">Get your holder role</h1>
      <p className="mt-6 max-w-2xl text-lg text-quiet sm:text-xl">
        Use <Command name="verify" /> in the Discord server. The bot answers with your own link to this site, where your
        wallet signs one message. No password, no transaction.
      </p>
      <ExternalLinkButton href="https://discord.com/channels/@me" look="torch" className="mt-6">
        Open Discord
      </ExternalLinkButton>
    </section>
    <StrataDivider />
    <section aria-labelledby="steps" className="wrap py-12 sm:py-16">
      <SectionHeading id="steps" title="Four steps, two minutes" />
      <NumberedSteps steps={steps} />
    </section>
    <StrataDivider />
    <section
      className="wrap mt-8 grid gap-x-12 gap-y-8 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_20rem]"
      aria-label="Help and safety"
    >
      <Help />
      <Safety />
    </section>
  </>
);

const Command = ({ name }: { readonly name: string }) => (
  <code className="bg-raised px-1.5 whitespace-nowrap">/{name}</code>
);

const steps = [
  {
    title: 'Ask for a link',
    text: 'Type /verify in the server, or press the server’s Verify button.',
  },
  { title: 'Open it', text: 'Only you can see the link. It works once and expires after 15 minutes.' },
  {
    title: 'Sign one message',
    text: 'Choose your Sui wallet, read the message and sign it. It is not a transaction: it moves nothing and costs nothing.',
  },
  {
    title: 'Wear the role',
    text: 'It is yours as soon as an NFT of the collection is found: in your wallet, in a kiosk, or listed for sale.',
  },
];

const help: readonly (readonly [question: string, answer: ReactNode])[] = [
  [
    'My link has expired, or does not open',
    <>
      Use <Command name="verify" /> again. You get a new link, and the old one stops working.
    </>,
  ],
  [
    'I have more than one wallet',
    <>
      Use <Command name="verify" /> once for each. <Command name="wallets" /> lists them and unlinks them.
    </>,
  ],
  [
    'I did not get the role',
    <>
      <Command name="why" /> shows what was found in each wallet, and what happens next.
    </>,
  ],
];

const Help = () => (
  <div>
    <h2 className="title-3">If something goes wrong</h2>
    <dl className="mt-4 space-y-4">
      {help.map(([question, answer]) => (
        <div key={question}>
          <dt className="font-bold">{question}</dt>
          <dd className="mt-1 text-quiet">{answer}</dd>
        </div>
      ))}
    </dl>
  </div>
);

function Safety() {
  const { publicUrl } = useSiteConfig();
  return (
    <section className="self-start border-l-3 border-torch pl-5" aria-labelledby="safety">
      <h2 id="safety" className="font-bold">
        Stay safe
      </h2>
      <ul className="mt-3 list-disc space-y-2 pl-5">
        <li className="wrap-anywhere">Every real link begins with {publicUrl}/verify/.</li>
        <li>Never use a link that someone else sends you.</li>
        <li>Nobody here ever asks for your seed phrase or private key.</li>
      </ul>
    </section>
  );
}
