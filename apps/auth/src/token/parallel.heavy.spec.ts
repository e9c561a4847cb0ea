import { describeSimultaneousAnswers } from '../testing/simultaneous-answers';

describeSimultaneousAnswers(100);
