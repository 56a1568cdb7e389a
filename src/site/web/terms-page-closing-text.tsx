import { productName } from '../content.ts';
import { CommunityLink, type LegalSection } from './legal-document.tsx';

/** The second half of the terms: whose is what, who answers for what, which law. */
export const termsClosingSections: readonly LegalSection[] = [
  {
    id: 'intellectual-property',
    title: 'Intellectual Property',
    body: (
      <>
        <p>
          The name {productName}, this website, its texts, its software and the artwork of the collection belong to us
          or to those who licensed them to us.
        </p>
        <p>
          While you own a rock you may show its image for personal purposes, for example as a profile picture, and to
          offer that rock for sale. This permission passes to the next owner with the rock. Other uses, in particular
          merchandise and anything that suggests that we endorse you, need our written consent.
        </p>
      </>
    ),
  },
  {
    id: 'limitation-of-liability',
    title: 'Limitation of Liability',
    body: (
      <>
        <p>
          As far as the law allows, the service is provided “as is”, without warranties of any kind, express or implied,
          including merchantability, fitness for a particular purpose, accuracy and non-infringement.
        </p>
        <p>
          As far as the law allows, neither {productName} nor the people who work on it are liable for indirect,
          incidental, special, consequential or punitive damages, or for lost profits, lost tokens, lost NFTs or lost
          data, arising from the service, from relying on figures or notifications, or from acts of third parties. Our
          total liability for any claim is limited to what you paid us directly in the twelve months before it arose.
        </p>
        <p>
          Some places do not allow some of these limits. There they apply as far as they may, and liability that cannot
          be excluded by law is not excluded here.
        </p>
      </>
    ),
  },
  {
    id: 'third-party-services',
    title: 'Third-Party Services',
    body: (
      <p>
        The service reads from and links to services that we do not run: the SUI network, marketplaces, block explorers,
        price sources, wallets, exchanges, the messenger and the social network. They have their own terms, fees and
        risks. We do not control them, do not vouch for them, and are not responsible for what they do or for what you
        do there. Reach them through the links on this website, and be wary of copies.
      </p>
    ),
  },
  {
    id: 'modifications',
    title: 'Modifications',
    body: (
      <p>
        We may change the service or these terms. The date at the top says when these terms last changed, and we
        announce changes that matter in the community. Changes apply from the moment they are published here. If you
        keep using the service after that, you accept them.
      </p>
    ),
  },
  {
    id: 'governing-law',
    title: 'Governing Law',
    body: (
      <p>
        These terms are governed by the laws of the United States, without regard to its conflict-of-law rules.
        Mandatory consumer protection of the place where you live stays untouched. If one provision turns out to be
        invalid, the others remain in force.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about these terms reach us through <CommunityLink />. Try us before you try a court: most things can
        be settled around the fire.
      </p>
    ),
  },
];
