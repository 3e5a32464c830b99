import { Link, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { canSignUp, NoSignUp } from '#web/features/club/auth-screens/registration.tsx'
import { SignupForm } from '#web/features/club/auth-screens/signup-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { linkStyle } from '#web/ui/classes.ts'

import { isArriving, newAccount, personState } from './navigation-state.ts'

/** /auth/signup */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }

  return (
    <>
      {canSignUp(redirect) ? (
        <>
          <AuthHeading title={t('signup.title')} />
          <SignupForm
            redirect={redirect}
            email={personState(state)?.email}
            onSignedUp={async (account, person) =>
              account === 'code-sent'
                ? navigate(to.verify(redirect), { state: person })
                : navigate(to.login(redirect), {
                    state: newAccount(person.email, t('signup.done'), isArriving(redirect)),
                  })
            }
          />
        </>
      ) : (
        <NoSignUp />
      )}
      <p>
        {t('signup.haveAccount')}{' '}
        <Link to={to.login(redirect)} className={linkStyle}>
          {t('signup.login')}
        </Link>
      </p>
    </>
  )
}
