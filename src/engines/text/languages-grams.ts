/**
 * Frozen word lists of languages whose words are compared by grams of their letters too, because no stems are known (Greek, Turkish,
 * Vietnamese) or particles follow each other (Korean). Data only.
 */
import { end, type Language } from './language.js';

export const greek: Language = {
  id: 'el',
  script: 'greek',
  stops:
    'ο η το οι τα του της των τον την τους τις στο στη στην στον στους στις στα ένας μια μία ένα ενός μιας και κι ή αλλά όμως αν να θα δε δεν ' +
    'μη μην με σε από για ως προς κατά μετά πριν μεταξύ χωρίς παρά επί υπό είναι ήταν είχε έχει έχουν είχαν που πως πώς τι ποιος ποια ποιο ποιοι ' +
    'ποιες ποιον πότε όταν πού όπου πόσο πόσα πόσοι πόσες αυτό αυτή αυτός αυτά αυτές αυτοί αυτών αυτού εκείνο τόσο όπως ότι διότι επίσης ακόμη πιο ' +
    'πολύ όλα όλοι κάθε μέσα έξω γιατί του μου σου μας σας οποίο οποία οποίος οποίοι οποίες',
  frames: 'όνομα ονομάζεται ονομαζόταν λέγεται τύπος είδος',
  negations: 'δεν δε μην μη όχι χωρίς ποτέ ούτε',
  letters: 'άα έε ήη ίι όο ύυ ώω ϊι ϋυ ΐι ΰυ',
  elided: 'σ απ γι κατ μετ παρ αντ',
  vowels: '',
  passes: [],
  gram: 3,
};

export const turkish: Language = {
  id: 'tr',
  script: 'latin',
  stops:
    've veya ya da de ile için bir bu şu o ki mi mı mu mü ne neden niçin nasıl nerede nereye nereden hangi hangisi kim kimin kime kaç ama fakat ancak ' +
    'çünkü gibi kadar daha en çok az her hem ise olan olarak oldu olduğu olduğunu olur var yok değil sonra önce göre karşı doğru üzere tarafından ' +
    'bunun bunu buna bunlar onun onu ona onlar biz siz ben sen kendi bazı tüm bütün diğer aynı böyle şöyle iken idi edildi etti eden etmek',
  frames: 'adı ad isim ismi denir tür türü',
  negations: 'değil yok hiç asla olmadan',
  letters: 'ıi İi âa îi ûu çc ğg öo şs üu',
  elided: '',
  hasNameEndings: true,
  vowels: '',
  passes: [],
  gram: 3,
};

export const vietnamese: Language = {
  id: 'vi',
  script: 'latin',
  stops:
    'và của là có được cho trong các những một với này đã đó khi nào ai gì ở đâu từ vào ra như thế không phải để theo đến về bởi bị sẽ đang cũng ' +
    'thì mà nếu hay hoặc nhưng vì sao tại bao nhiêu mấy trên dưới sau trước giữa nó họ tôi chúng ta mình rất hơn nhất cái con việc người ta lại còn ' +
    'đều do bằng qua',
  frames: 'tên gọi loại',
  negations: 'không chưa chẳng',
  letters: '',
  elided: '',
  vowels: '',
  passes: [],
  gram: 3,
};

export const korean: Language = {
  id: 'ko',
  script: 'hangul',
  stops:
    '그 이 저 것 수 등 및 또 또는 그리고 그러나 하지만 때 더 가장 매우 무엇 무엇을 무엇이 무엇인가 무엇인가요 무엇입니까 어떤 어느 어디 어디에 어디에서 언제 누구 ' +
    '누가 누구를 왜 어떻게 몇 얼마나 있다 있는 있었다 있습니까 있나요 한다 하는 했다 된다 되는 되었다 이다 있었던 대한 대해 위해 위한 통해 의해 따라',
  frames: '이름 이름은 종류 불리는',
  negations: '않 않는 않다 않았다 없다 없는 아니다 안',
  letters: '',
  elided: '',
  vowels: '',
  passes: [
    end(
      2,
      '입니까 입니다 합니까 합니다 했습니까 했습니다 습니까 습니다 인가요 인가 였다 이었다 하였다 했다 한다 된다 되었다 하는 되는 하여 하고 되어 이다',
    ),
    end(
      2,
      '에서는 에서의 으로는 으로서 으로써 으로의 에게서 에서 에게 에는 에도 으로 로서 로써 까지 부터 보다 처럼 이나 이며 이라는 라는 과의 와의',
    ),
    end(2, '은 는 이 가 을 를 의 에 도 만 로 와 과 들'),
  ],
  gram: 2,
};
